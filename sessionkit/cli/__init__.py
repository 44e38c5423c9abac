"""The mouth: the only place that prints or exits."""
