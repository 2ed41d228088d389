import { useEffect, useRef, useState } from 'react'

/** Files can be dropped anywhere on the page. It returns whether some are being dragged over it. */
export function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isDragging, setIsDragging] = useState(false)
  const handler = useRef(onFiles)
  useEffect(() => {
    handler.current = onFiles
  })

  useEffect(() => {
    const stopped = new AbortController()
    const { signal } = stopped
    // Every element under the pointer is entered and left, so the page is left only when none is entered any more.
    let entered = 0
    const set = (next: number) => {
      entered = Math.max(0, next)
      setIsDragging(entered > 0)
    }
    const onFilesOnly = (react: (event: DragEvent) => void) => (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      // Otherwise the browser would open the file in place of the console.
      event.preventDefault()
      react(event)
    }
    window.addEventListener(
      'dragenter',
      onFilesOnly(() => set(entered + 1)),
      { signal },
    )
    window.addEventListener(
      'dragleave',
      onFilesOnly(() => set(entered - 1)),
      { signal },
    )
    window.addEventListener(
      'dragover',
      onFilesOnly(() => {}),
      { signal },
    )
    window.addEventListener(
      'drop',
      onFilesOnly(({ dataTransfer }) => {
        set(0)
        handler.current([...(dataTransfer?.files ?? [])])
      }),
      { signal },
    )
    return () => stopped.abort()
  }, [])
  return isDragging
}
