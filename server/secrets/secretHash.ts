import { createHash } from 'node:crypto'

/** The database keeps this instead of a secret of 256 random bits, which nobody can guess from it. */
export const secretHash = (secret: string): Buffer => createHash('sha256').update(secret).digest()
