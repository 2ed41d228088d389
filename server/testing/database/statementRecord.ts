import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { WatchedClient } from '#server/db/connect/WatchedClient.ts'

const recordIn = (folder: string) => join(folder, 'statements.jsonl')

/** Files of one process share what is patched. */
let isRecording = false

/**
 * Writes down each different statement that the product sends during a run of tests. Only its own connections count:
 * those of tests are another class.
 */
export function recordStatements(folder: string): void {
  if (isRecording) return
  isRecording = true
  const seen = new Set<string>()
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function recorded(this: pg.Client, ...given: unknown[]) {
    if (this instanceof WatchedClient) {
      const text = textOf(given[0])
      const shape = text === undefined ? '' : shapeOf(text)
      if (text !== undefined && !seen.has(shape)) {
        seen.add(shape)
        appendFileSync(recordIn(folder), `${JSON.stringify(text)}\n`)
      }
    }
    return Reflect.apply(query, this, given)
  } as typeof query
}

/** Returns the different statements of a run, whichever of its processes sent them. */
export function recordedStatements(folder: string): readonly string[] {
  if (!existsSync(recordIn(folder))) return []
  const lines = readFileSync(recordIn(folder), 'utf8').split('\n').filter(Boolean)
  const texts = lines.map((line) => JSON.parse(line) as string)
  return [...new Map(texts.map((text) => [shapeOf(text), text])).values()]
}

const textOf = (asked: unknown): string | undefined =>
  typeof asked === 'string' ? asked : (asked as { readonly text?: string } | undefined)?.text

/** Statements that differ only in their values, and in whether these are two or more, are one. */
export function shapeOf(text: string): string {
  return text
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\$?\b\d+(?:\.\d+)?\b/g, '0')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/((?:\((?:[^()]*)\)|''|0)(?:::[\w[\]]+)?)(?:, ?\1)+/g, '$1, …')
}
