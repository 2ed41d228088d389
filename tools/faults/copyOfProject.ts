import { chmodSync, copyFileSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listFiles } from '../architecture/project.ts'
import { ROOT } from '../node24.mjs'

/** Copies the project as it stands, committed or not, with the same packages, into an empty folder. */
export function copyOfProject(folder: string): string {
  for (const file of listFiles(ROOT)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    copyFileSync(join(ROOT, file), join(folder, file))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  // When root runs this, the database has another user, who must be able to enter.
  chmodSync(folder, 0o755)
  return folder
}
