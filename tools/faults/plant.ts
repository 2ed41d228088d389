import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fault } from './lists/fault.ts'

/** Counts how often the text of a fault stands in its file; 0 without such a file. */
export function occurrences(root: string, { file, replace }: Fault): number {
  try {
    return readFileSync(join(root, file), 'utf8').split(replace).length - 1
  } catch {
    return 0
  }
}

/**
 * @returns a function that takes the fault out again
 * @throws one sentence when its text does not stand in its file exactly once
 */
export function plant(root: string, fault: Fault): () => void {
  const count = occurrences(root, fault)
  if (count !== 1) {
    throw new Error(
      `"${fault.name}": its text stands ${count} times in ${fault.file}; the list has to follow the code.`,
    )
  }
  const path = join(root, fault.file)
  const text = readFileSync(path, 'utf8')
  // The text is no pattern, because it may hold characters that mean something in one.
  writeFileSync(path, text.split(fault.replace).join(fault.by))
  return () => writeFileSync(path, text)
}
