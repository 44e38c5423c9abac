// naive_spill.py in Node.js: JSON.parse, Buffer, crypto, one line at a time. node naive_spill.mjs OUT FILE…
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";

const EXTENSIONS = { "image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "image/gif": "gif" };
const NEWLINE = 10;

const [out, ...sessions] = process.argv.slice(2);

function store(data, media) {
  const raw = Buffer.from(data, "base64");
  const name = `images/${crypto.createHash("sha256").update(raw).digest("hex")}.${EXTENSIONS[media]}`;
  const target = `${out}/${name}`;
  if (!fs.existsSync(target)) {
    fs.writeFileSync(`${target}.tmp`, raw);
    fs.renameSync(`${target}.tmp`, target);
  }
  return { asset_path: name, mime_type: media };
}

function walk(node) {
  if (Array.isArray(node)) return node.map(walk);
  if (!node || typeof node !== "object") return node;
  if (node.type === "image" && typeof node.data === "string") return { type: "image", ...store(node.data, node.mimeType) };
  if (node.type === "image" && node.source?.data) return { type: "image", ...store(node.source.data, node.source.media_type) };
  if (typeof node.base64 === "string") {
    const { base64, ...rest } = node;
    return { ...store(base64, node.type), ...rest };
  }
  if (node.type === "input_image") return spillUrl(node.image_url);
  const copy = {};
  for (const key in node) copy[key] = walk(node[key]);
  return copy;
}

function spillUrl(url) {
  const comma = url.indexOf(",");
  return { type: "input_image", ...store(url.slice(comma + 1), url.slice(5, comma).split(";")[0]) };
}

function spill(session) {
  const bytes = fs.readFileSync(session);
  const target = `${out}/${path.basename(session)}`;
  const sink = fs.openSync(`${target}.tmp`, "w");
  for (let start = 0; start < bytes.length; ) {
    let end = bytes.indexOf(NEWLINE, start);
    if (end < 0) end = bytes.length;
    fs.writeSync(sink, JSON.stringify(walk(JSON.parse(bytes.toString("utf8", start, end)))) + "\n");
    start = end + 1;
  }
  fs.closeSync(sink);
  fs.renameSync(`${target}.tmp`, target);
}

fs.mkdirSync(`${out}/images`, { recursive: true });
sessions.forEach(spill);
