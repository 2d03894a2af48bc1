// hyparquet.mjs FOLDER PARQUET EDGES: write a table of names in both delta encodings of text, and the same as an edge list,
// with the package hyparquet-writer that is installed in FOLDER.
import { writeFileSync } from 'fs';
import { pathToFileURL } from 'url';
const [folder, parquet, edges] = process.argv.slice(2);
const { parquetWriteBuffer } = await import(pathToFileURL(folder + '/node_modules/hyparquet-writer/src/index.js'));
const name = i => 'person-' + (i * 7919 % 1000).toString(36);
const source = [], target = [];
for (let i = 0; i < 3000; i++) {
  source.push(name(i));
  target.push(name(i * i + 1));
}
const columnData = [
  { name: 'source', data: source, type: 'STRING', encoding: 'DELTA_BYTE_ARRAY' },
  { name: 'target', data: target, type: 'STRING', encoding: 'DELTA_LENGTH_BYTE_ARRAY' },
];
writeFileSync(parquet, Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize: 1000 })));
writeFileSync(edges, source.map((one, i) => one + ' ' + target[i] + '\n').join(''));
