import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { InstallPackages } from '#contract/http/software/installPackages.ts'
import { readSums, SUMS_FILE, SUMS_SIGNATURE_FILE } from '#domain/releases/installFiles.ts'
import { findSigner } from '#domain/releases/verifyRelease.ts'

type Found = Omit<InstallPackages, 'serverUrl'>

const refused = (refusal: string | null): Found => ({ files: [], releaseKey: null, refusal })

/**
 * Reads the signed list. The packages themselves are not read, because they are large, and each device checks what it
 * has downloaded.
 */
export async function readInstallFolder(folder: string, releaseKeys: readonly string[]): Promise<Found> {
  const read = (name: string) => readFile(join(folder, name), 'utf8').catch(() => undefined)
  const [sums, signature] = [await read(SUMS_FILE), await read(SUMS_SIGNATURE_FILE)]
  if (sums === undefined) return refused(null)
  const listed = readSums(sums)
  if (!listed || signature === undefined) return refused(`${SUMS_FILE} is damaged or has no signature.`)
  const releaseKey = await findSigner(releaseKeys, signature.trim(), sums)
  if (releaseKey === undefined) return refused('The packages were not signed with a release key of this server.')
  const files = []
  for (const file of listed) {
    const size = await stat(join(folder, file.fileName)).then(
      (found) => found.size,
      () => undefined,
    )
    if (size === undefined) return refused(`${file.fileName} is missing.`)
    files.push({ ...file, bytes: size })
  }
  return { files, releaseKey, refusal: null }
}
