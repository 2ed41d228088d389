import { useEffect, useRef, useState } from 'react'
import { saveFile } from './call/download.ts'
import { toasts } from './call/toasts.ts'
import { type CsvColumn, collectCsv, NothingToExport } from './csv.ts'
import { formatFileDate } from './time/time.ts'

export interface CsvExport<Row> {
  readonly name: string
  readonly columns: readonly CsvColumn<Row>[]
  /** @throws CallFailed */
  readonly batches: (signal: AbortSignal) => AsyncIterable<readonly Row[]>
}

/** It makes one file at a time, which can be stopped. */
export function useExportRun() {
  const [isRunning, setIsRunning] = useState(false)
  const running = useRef<AbortController>(undefined)
  // Whoever leaves no longer waits for the file.
  useEffect(() => () => running.current?.abort(), [])

  const run = async (make: (signal: AbortSignal) => Promise<void>, ended?: () => Promise<void>) => {
    const stopped = new AbortController()
    running.current = stopped
    setIsRunning(true)
    try {
      await make(stopped.signal)
    } catch (failure) {
      if (failure instanceof NothingToExport) toasts.warning(failure.message)
      else if (!stopped.signal.aborted) toasts.failure(failure)
    }
    await ended?.()
    setIsRunning(false)
  }
  return { isRunning, run, stop: () => running.current?.abort() }
}

/** It reads everything that a filter shows, batch by batch, into a file. */
export function useCsvExport<Row>({ name, columns, batches }: CsvExport<Row>) {
  const { isRunning, run } = useExportRun()
  const start = () =>
    run(async (signal) => {
      const file = await collectCsv(columns, batches(signal), () => undefined)
      saveFile(`${name}_${formatFileDate(new Date())}.csv`, file)
    })
  return { isRunning, start }
}
