// Sends a file with tus-js-client, the reference client of tus, and prints the address of its upload. The connection may
// end at any time: the client asks for the offset and continues.
//
//     node tus.mjs ENDPOINT TOKEN FILE METADATA

import { createReadStream, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

// The package is in the folder in which this runs, not next to this file.
const { Upload } = createRequire(join(process.cwd(), "package.json"))("tus-js-client");
const [endpoint, token, file, metadata] = process.argv.slice(2);

const upload = new Upload(createReadStream(file), {
    endpoint,
    headers: { Authorization: `Bearer ${token}` },
    metadata: JSON.parse(metadata),
    uploadSize: statSync(file).size,
    chunkSize: 1024 * 1024,
    retryDelays: Array(60).fill(500),
    onProgress: (sent, total) => console.error(`${sent} of ${total}`),
    onError: (error) => {
        console.error(String(error));
        process.exit(1);
    },
    onSuccess: () => console.log(upload.url),
});
upload.start();
