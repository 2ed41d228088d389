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

/** It reads everything that a filter shows, batch by batch, into a file. */
export function useCsvExport<Row>({ name, columns, batches }: CsvExport<Row>) {
  const [isRunning, setIsRunning] = useState(false)
  const running = useRef<AbortController>(undefined)
  // Whoever leaves no longer waits for the file.
  useEffect(() => () => running.current?.abort(), [])

  const start = async () => {
    const stopped = new AbortController()
    running.current = stopped
    setIsRunning(true)
    try {
      const file = await collectCsv(columns, batches(stopped.signal), () => undefined)
      saveFile(`${name}_${formatFileDate(new Date())}.csv`, file)
    } catch (failure) {
      if (failure instanceof NothingToExport) toasts.warning(failure.message)
      else if (!stopped.signal.aborted) toasts.failure(failure)
    }
    setIsRunning(false)
  }
  return { isRunning, start }
}
