import type pg from 'pg'
import { readHeader } from '#domain/releases/header.ts'
import { makeBackTarget, makeRelease, newReleaseKey, publicReleaseKey } from '#tools/releaseFile.ts'

const { key } = newReleaseKey()
/** Servers of tests trust this key. */
export const TEST_RELEASE_KEY = publicReleaseKey(key)

/** Makes a release file that the key of tests has signed, or another one. */
export async function releaseFile(version: string, { program = `// ${version}\n`, by = key } = {}): Promise<Buffer> {
  return Buffer.from(await makeRelease(Buffer.from(program), version, by))
}

export async function backTargetFile(version: string, { by = key } = {}): Promise<Buffer> {
  const read = readHeader(await releaseFile(version))
  if (!read) throw new Error('It is no release.')
  return Buffer.from(makeBackTarget(read, by))
}

export async function insertRelease(pool: pg.Pool, version: string): Promise<number> {
  const { rows } = await pool.query(
    `insert into client_release (version, version_order, bytes, sha256, signature, content)
     values ($1::text, string_to_array($1, '.')::integer[], 1, encode(sha256($1::text::bytea), 'hex'), '', '\\x00')
     returning id`,
    [version],
  )
  return rows[0].id
}
