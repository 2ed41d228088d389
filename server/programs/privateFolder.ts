import { chmod, mkdir, stat } from 'node:fs/promises'

/**
 * Makes the folder of everything that is kept, or closes one that is there: keys, links in mails and readings lie below it,
 * and each program that writes there need not think of that.
 *
 * @param say is told where this user may not close it
 */
export async function makeClosedFolder(folder: string, say: (line: string) => void): Promise<void> {
  // Below the folder of root the database belongs to another user, who has to pass through and reads nothing.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700
  await mkdir(folder, { recursive: true, mode })
  const present = (await stat(folder)).mode & 0o777
  if ((present & ~mode) === 0) return
  await chmod(folder, present & mode).catch(() =>
    say(`Others on this machine can read the folder ${folder}, and this user may not change that.`),
  )
}
