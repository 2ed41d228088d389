import { vi } from 'vitest'

/** It collects the files that the browser would save from now on until the end of the test. */
export function watchDownloads(): readonly { readonly name: string; readonly file: Blob }[] {
  const saved: { readonly name: string; readonly file: Blob }[] = []
  const files = new Map<string, Blob>()
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    const address = `blob:${files.size}`
    files.set(address, file as Blob)
    return address
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, file: files.get(this.href) as Blob })
  })
  return saved
}
