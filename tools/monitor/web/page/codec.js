// The wire: pieces behind their lengths, and msgpack as core/peer/codec.hpp writes it. Texts are
// bytes until text() is called: the values of facts are packed once more.
const decoder = new TextDecoder();
const unfit = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
// The one place where texts enter: without controls, and without what turns the direction of writing.
const text = (bytes) => decoder.decode(bytes).replace(unfit, '');

function unpack(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  // Each element of a list takes a byte at least, so that what is claimed can be there.
  const claim = (size) => { if (size > bytes.length - at) throw new Error('cut short'); };
  const skip = (size) => { claim(size); at += size; return at - size; };
  const list = (size) => {
    claim(size);
    const items = [];
    for (let i = 0; i < size; i += 1) items.push(next());
    return items;
  };
  const raw = (size) => { const from = skip(size); return bytes.subarray(from, from + size); };
  const long = (high) => high * 4294967296 + view.getUint32(skip(4));
  function next() {
    const head = bytes[skip(1)];
    if (head < 0x80) return head;
    if (head >= 0xe0) return head - 256;
    if (head >= 0xa0 && head < 0xc0) return raw(head & 31);
    if (head >= 0x90 && head < 0xa0) return list(head & 15);
    switch (head) {
      case 0xc2: return false;
      case 0xc3: return true;
      case 0xca: return view.getFloat32(skip(4));
      case 0xcb: return view.getFloat64(skip(8));
      case 0xcc: return view.getUint8(skip(1));
      case 0xcd: return view.getUint16(skip(2));
      case 0xce: return view.getUint32(skip(4));
      case 0xcf: return long(view.getUint32(skip(4)));
      case 0xd0: return view.getInt8(skip(1));
      case 0xd1: return view.getInt16(skip(2));
      case 0xd2: return view.getInt32(skip(4));
      case 0xd3: return long(view.getInt32(skip(4)));
      case 0xc4: case 0xd9: return raw(view.getUint8(skip(1)));
      case 0xc5: case 0xda: return raw(view.getUint16(skip(2)));
      case 0xc6: case 0xdb: return raw(view.getUint32(skip(4)));
      case 0xdc: return list(view.getUint16(skip(2)));
      case 0xdd: return list(view.getUint32(skip(4)));
      default: throw new Error('no such token');
    }
  }
  return next();
}

// Calls take(piece) with each complete piece of the stream.
function makeSplitter(take) {
  let held = new Uint8Array(0);
  return (chunk) => {
    let all = chunk;
    if (held.length > 0) {
      all = new Uint8Array(held.length + chunk.length);
      all.set(held);
      all.set(chunk, held.length);
    }
    let at = 0;
    while (all.length - at >= 4) {
      const size = new DataView(all.buffer, all.byteOffset + at, 4).getUint32(0, true);
      if (all.length - at - 4 < size) break;
      take(all.subarray(at + 4, at + 4 + size));
      at += 4 + size;
    }
    held = all.slice(at);
  };
}
