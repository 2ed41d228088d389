import { chmod, mkdir, stat } from 'node:fs/promises'

/**
 * Makes the folder of all data, or closes an existing one: keys, links in mails and readings lie below it, and no
 * program that writes there has to think of that.
 *
 * @param say receives a sentence when this user may not close it
 */
export async function makeClosedFolder(folder: string, say: (line: string) => void): Promise<void> {
  // The database below a folder of root belongs to another user, who passes through and reads nothing.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700
  await mkdir(folder, { recursive: true, mode })
  const present = (await stat(folder)).mode & 0o777
  if ((present & ~mode) === 0) return
  await chmod(folder, present & mode).catch(() =>
    say(`Others on this machine can read the folder ${folder}, and this user may not change that.`),
  )
}
