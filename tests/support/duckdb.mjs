// duckdb.mjs FOLDER SQL...: run each statement with the package @duckdb/node-api that is installed in FOLDER; rows to stdout.
import { createRequire } from 'module';
const [folder, ...statements] = process.argv.slice(2);
const { DuckDBInstance } = createRequire(folder + '/duckdb.js')('@duckdb/node-api');
const connection = await (await DuckDBInstance.create(':memory:')).connect();
for (const sql of statements) {
  const result = await connection.runAndReadAll(sql);
  for (const row of result.getRows()) console.log(row.join(' '));
}
