// Unpacks the module, which is in the page as a file of the format .lzma: browsers unpack only formats that leave it too
// large for one small page. After the LZMA specification of Igor Pavlov (2015).

/** A probability of one half, in parts of 2048. */
const EVEN = 1024;

/** Reads bits that were coded with probabilities, which it learns. */
class BitReader {
  /**
   * @param {Uint8Array} bytes
   * @param {number} start
   */
  constructor(bytes, start) {
    this.bytes = bytes;
    // The first byte is always 0.
    this.at = start + 5;
    this.range = 0xffffffff;
    this.code = new DataView(bytes.buffer, bytes.byteOffset).getUint32(start + 1);
  }

  refill() {
    if (this.range >= 0x1000000) return;
    const next = this.bytes[this.at];
    if (next === undefined) throw new Error("the module in the page is cut off");
    this.at += 1;
    this.range = (this.range << 8) >>> 0;
    this.code = ((this.code << 8) | next) >>> 0;
  }

  /**
   * @param {Uint16Array} odds
   * @param {number} place
   */
  bit(odds, place) {
    const odd = /** @type {number} */ (odds[place]);
    const bound = (this.range >>> 11) * odd;
    const bit = this.code < bound ? 0 : 1;
    if (bit === 0) {
      this.range = bound;
      odds[place] = odd + ((2048 - odd) >>> 5);
    } else {
      this.code -= bound;
      this.range -= bound;
      odds[place] = odd - (odd >>> 5);
    }
    this.refill();
    return bit;
  }

  /**
   * Bits of even odds.
   * @param {number} count
   */
  direct(count) {
    let value = 0;
    for (let bit = 0; bit < count; bit += 1) {
      this.range >>>= 1;
      const isSet = this.code >= this.range;
      if (isSet) this.code -= this.range;
      value = value * 2 + (isSet ? 1 : 0);
      this.refill();
    }
    return value;
  }

  /**
   * A number of `count` bits, the highest first.
   * @param {Uint16Array} odds
   * @param {number} count
   * @param {number} from
   */
  tree(odds, count, from = 0) {
    let node = 1;
    for (let bit = 0; bit < count; bit += 1) node = node * 2 + this.bit(odds, from + node);
    return node - (1 << count);
  }

  /**
   * The same, the lowest first.
   * @param {Uint16Array} odds
   * @param {number} count
   * @param {number} from
   */
  reverseTree(odds, count, from = 0) {
    let [node, value] = [1, 0];
    for (let bit = 0; bit < count; bit += 1) {
      const read = this.bit(odds, from + node);
      node = node * 2 + read;
      value |= read << bit;
    }
    return value;
  }
}

/** @param {number} count */
const evenOdds = (count) => new Uint16Array(count).fill(EVEN);

/** Reads the lengths of repetitions. */
class LengthReader {
  constructor() {
    this.choice = evenOdds(2);
    this.low = evenOdds(16 << 3);
    this.middle = evenOdds(16 << 3);
    this.high = evenOdds(256);
  }

  /**
   * @param {BitReader} reader
   * @param {number} position
   */
  read(reader, position) {
    if (reader.bit(this.choice, 0) === 0) return 2 + reader.tree(this.low, 3, position << 3);
    if (reader.bit(this.choice, 1) === 0) return 10 + reader.tree(this.middle, 3, position << 3);
    return 18 + reader.tree(this.high, 8);
  }
}

/** Reads how far back repetitions are. */
class DistanceReader {
  constructor() {
    this.slots = evenOdds(4 << 6);
    this.special = evenOdds(128);
    this.aligned = evenOdds(16);
  }

  /**
   * @param {BitReader} reader
   * @param {number} length
   */
  read(reader, length) {
    const slot = reader.tree(this.slots, 6, Math.min(length - 2, 3) << 6);
    if (slot < 4) return slot;
    const count = (slot >>> 1) - 1;
    const distance = (2 | (slot & 1)) * 2 ** count;
    if (slot < 14) return distance + reader.reverseTree(this.special, count, distance - slot);
    return distance + reader.direct(count - 4) * 16 + reader.reverseTree(this.aligned, 4);
  }
}

/**
 * @param {Uint8Array} packed
 * @returns {Uint8Array<ArrayBuffer>}
 */
function unpacked(packed) {
  const header = new DataView(packed.buffer, packed.byteOffset);
  const properties = header.getUint8(0);
  const [literalContext, rest] = [properties % 9, Math.floor(properties / 9)];
  const [literalMask, positionMask] = [(1 << rest % 5) - 1, (1 << Math.floor(rest / 5)) - 1];
  const out = new Uint8Array(header.getUint32(5, true));
  const reader = new BitReader(packed, 13);
  const literals = evenOdds(0x300 << (literalContext + (rest % 5)));
  const [isMatch, isRepeated0Long] = [evenOdds(12 << 4), evenOdds(12 << 4)];
  const [isRepeated, isRepeated0, isRepeated1, isRepeated2] = [evenOdds(12), evenOdds(12), evenOdds(12), evenOdds(12)];
  const [lengths, repeatedLengths, distances] = [new LengthReader(), new LengthReader(), new DistanceReader()];
  /** The last distances, less 1. */
  let [back0, back1, back2, back3] = [0, 0, 0, 0];
  let [state, at] = [0, 0];

  const literal = () => {
    const before = at === 0 ? 0 : /** @type {number} */ (out[at - 1]);
    const context = ((at & literalMask) << literalContext) + (before >>> (8 - literalContext));
    const from = 0x300 * context;
    let node = 1;
    if (state >= 7) {
      let matched = /** @type {number} */ (out[at - back0 - 1]);
      while (node < 0x100) {
        const expected = (matched >>> 7) & 1;
        matched <<= 1;
        const bit = reader.bit(literals, from + ((1 + expected) << 8) + node);
        node = node * 2 + bit;
        if (bit !== expected) break;
      }
    }
    while (node < 0x100) node = node * 2 + reader.bit(literals, from + node);
    out[at] = node - 0x100;
    at += 1;
    state = state < 4 ? 0 : state - (state < 10 ? 3 : 6);
  };

  /** @param {number} length */
  const copy = (length) => {
    if (back0 >= at || length > out.length - at) throw new Error("the module in the page is damaged");
    for (const end = at + length; at < end; at += 1) out[at] = /** @type {number} */ (out[at - back0 - 1]);
  };

  /**
   * Copies from one of the last distances.
   * @param {number} position
   * @param {number} place
   */
  const repeated = (position, place) => {
    if (reader.bit(isRepeated0, state) === 0) {
      if (reader.bit(isRepeated0Long, place) === 0) {
        state = state < 7 ? 9 : 11;
        copy(1);
        return;
      }
    } else if (reader.bit(isRepeated1, state) === 0) {
      [back0, back1] = [back1, back0];
    } else if (reader.bit(isRepeated2, state) === 0) {
      [back0, back1, back2] = [back2, back0, back1];
    } else {
      [back0, back1, back2, back3] = [back3, back0, back1, back2];
    }
    const length = repeatedLengths.read(reader, position);
    state = state < 7 ? 8 : 11;
    copy(length);
  };

  while (at < out.length) {
    const position = at & positionMask;
    const place = (state << 4) + position;
    if (reader.bit(isMatch, place) === 0) {
      literal();
    } else if (reader.bit(isRepeated, state) === 0) {
      [back1, back2, back3] = [back0, back1, back2];
      const length = lengths.read(reader, position);
      state = state < 7 ? 7 : 10;
      back0 = distances.read(reader, length);
      copy(length);
    } else {
      repeated(position, place);
    }
  }
  return out;
}
