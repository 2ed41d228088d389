import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Warnings and worse are shown. */
const LEAST_LEVEL = 40
const LONGEST_LINE = 300
const MOST_LINES = 30

/** Prints each warning of the servers once with its count, to find out why a drill failed. */
export async function tellWarnings(folder: string): Promise<void> {
  const counts = new Map<string, number>()
  const names = (await readdir(folder)).filter((name) => name.endsWith('.log'))
  for (const name of names) {
    for (const line of (await readFile(join(folder, name), 'utf8')).split('\n')) {
      const said = sentenceOf(line)
      if (said !== undefined) counts.set(`${name}: ${said}`, (counts.get(`${name}: ${said}`) ?? 0) + 1)
    }
  }
  for (const [said, times] of [...counts].slice(0, MOST_LINES)) console.log(`  ${times} × ${said}`)
}

function sentenceOf(line: string): string | undefined {
  if (line.trim() === '') return undefined
  try {
    const { level, time: _time, requestId: _request, pid: _pid, ...said } = JSON.parse(line) as Record<string, unknown>
    return Number(level) >= LEAST_LEVEL ? JSON.stringify(said).slice(0, LONGEST_LINE) : undefined
  } catch {
    return undefined
  }
}
