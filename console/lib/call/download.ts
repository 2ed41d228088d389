import type { Call } from '#contract/call/call.ts'
import { fetchFile, type Input } from './api.ts'

const RELEASE_AFTER_MS = 60_000

/**
 * It hands the file to the browser's downloads.
 *
 * @throws CallFailed
 */
export async function download<C extends Call>(call: C, input: Input<C>, fallbackName: string): Promise<void> {
  const { name, blob } = await fetchFile(call, input, fallbackName)
  saveFile(name, blob)
}

export function saveFile(name: string, blob: Blob) {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Some browsers read the file only after the click has returned.
  setTimeout(() => URL.revokeObjectURL(address), RELEASE_AFTER_MS)
}
