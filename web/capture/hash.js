// SHA-256 of a file. WebCrypto needs the whole file in memory, so large ones are hashed in slices by the code below.

const SMALL = 32 * 1024 * 1024;
const SLICE = 1024 * 1024;

/**
 * @param {Blob} blob
 * @param {(share: number) => void} [progress] called with the share that is done, from 0 to 1
 * @returns {Promise<string>} hexadecimal
 */
export async function sha256OfBlob(blob, progress) {
    if (blob.size <= SMALL && globalThis.crypto?.subtle) {
        return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", await blob.arrayBuffer())));
    }
    const hash = new Sha256();
    for (let at = 0; at < blob.size; at += SLICE) {
        hash.update(new Uint8Array(await blob.slice(at, at + SLICE).arrayBuffer()));
        progress?.(Math.min(1, (at + SLICE) / blob.size));
    }
    return toHex(hash.digest());
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Promise<Uint8Array>}
 */
export async function sha256(bytes) {
    if (globalThis.crypto?.subtle) return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    const hash = new Sha256();
    hash.update(bytes);
    return hash.digest();
}

/** @param {Uint8Array} bytes */
export function toHex(bytes) {
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {Uint8Array} bytes */
export function toBase64(bytes) {
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** The round constants: the first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const K = new Int32Array(64);
const START = new Int32Array(8);
for (let n = 2, found = 0; found < 64; n += 1) {
    let prime = true;
    for (let divisor = 2; divisor * divisor <= n; divisor += 1) if (n % divisor === 0) prime = false;
    if (!prime) continue;
    K[found] = ((Math.cbrt(n) % 1) * 2 ** 32) | 0;
    if (found < 8) START[found] = ((Math.sqrt(n) % 1) * 2 ** 32) | 0;
    found += 1;
}

/** SHA-256 (FIPS 180-4) of bytes that come in parts. */
export class Sha256 {
    #state = START.slice();
    #words = new Int32Array(64);
    #rest = new Uint8Array(64);
    #filled = 0;
    #length = 0;

    /** @param {Uint8Array} bytes */
    update(bytes) {
        this.#length += bytes.length;
        let at = 0;
        if (this.#filled > 0) {
            at = Math.min(64 - this.#filled, bytes.length);
            this.#rest.set(bytes.subarray(0, at), this.#filled);
            this.#filled += at;
            if (this.#filled < 64) return;
            this.#block(this.#rest, 0);
            this.#filled = 0;
        }
        for (; at + 64 <= bytes.length; at += 64) this.#block(bytes, at);
        this.#rest.set(bytes.subarray(at));
        this.#filled = bytes.length - at;
    }

    /** Ends the hash; it cannot be used afterwards. */
    digest() {
        const length = this.#length;
        const padding = new Uint8Array((this.#filled < 56 ? 56 : 120) - this.#filled + 8);
        padding[0] = 0x80;
        const view = new DataView(padding.buffer);
        view.setUint32(padding.length - 8, Math.floor(length / 2 ** 29));
        view.setUint32(padding.length - 4, (length << 3) >>> 0);
        this.update(padding);
        const out = new Uint8Array(32);
        const result = new DataView(out.buffer);
        this.#state.forEach((word, at) => result.setInt32(at * 4, word));
        return out;
    }

    /**
     * @param {Uint8Array} bytes
     * @param {number} at
     */
    #block(bytes, at) {
        const w = this.#words;
        for (let i = 0, j = at; i < 16; i += 1, j += 4) {
            w[i] = (bytes[j] << 24) | (bytes[j + 1] << 16) | (bytes[j + 2] << 8) | bytes[j + 3];
        }
        for (let i = 16; i < 64; i += 1) {
            const x = w[i - 15];
            const y = w[i - 2];
            const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
            const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
            w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
        }
        let [a, b, c, d, e, f, g, h] = this.#state;
        for (let i = 0; i < 64; i += 1) {
            const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
            const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
            const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
            const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
            h = g;
            g = f;
            f = e;
            e = (d + t1) | 0;
            d = c;
            c = b;
            b = a;
            a = (t1 + t2) | 0;
        }
        const state = this.#state;
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
        state[4] += e;
        state[5] += f;
        state[6] += g;
        state[7] += h;
    }
}
