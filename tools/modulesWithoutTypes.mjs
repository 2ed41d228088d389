import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'

/**
 * Keeps our modules without their types in a folder, so that the compiler of TypeScript stays out of the memory of a
 * server (decision 340). Imported before the program, as `modulesWithoutTypes.mjs?FOLDER`.
 */

const FOLDER = decodeURIComponent(new URL(import.meta.url).search.slice(1))

registerHooks({
  load(url, context, next) {
    if (!url.endsWith('.ts')) return next(url, context)
    return { format: 'module', source: withoutTypes(readFileSync(new URL(url), 'utf8')), shortCircuit: true }
  },
})

/**
 * A kept module ends with the hash of what is before, because a power cut may leave it empty or in part.
 *
 * @param {string} source
 */
function withoutTypes(source) {
  const kept = join(FOLDER, `${hashOf(source)}.js`)
  try {
    const text = readFileSync(kept, 'utf8')
    if (text.slice(-HASH_LENGTH) === hashOf(text.slice(0, -HASH_LENGTH))) return text
  } catch {}
  const plain = `${stripTypeScriptTypes(source)}\n// `
  const text = `${plain}${hashOf(plain)}`
  keep(kept, text)
  return text
}

const HASH_LENGTH = 64
const hashOf = (/** @type {string} */ text) => createHash('sha256').update(text).digest('hex')

/** Another process may read it at any moment, and where nothing can be written the server runs all the same. */
function keep(file, text) {
  const unfinished = `${file}.${process.pid}.${threadId}`
  try {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(unfinished, text)
    renameSync(unfinished, file)
  } catch {}
}
