import { chmodSync, copyFileSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listFiles } from '../architecture/project.ts'
import { ROOT } from '../node24.mjs'

/** The project as it stands here, committed or not, with the same packages; in a folder that is empty. */
export function copyOfProject(folder: string): string {
  for (const file of listFiles(ROOT)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    copyFileSync(join(ROOT, file), join(folder, file))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  // As root a database runs as another user, who must get through.
  chmodSync(folder, 0o755)
  return folder
}
