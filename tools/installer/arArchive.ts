export interface ArMember {
  readonly name: string
  readonly content: Uint8Array
}

const MAGIC = '!<arch>\n'
const HEADER_BYTES = 60

/** Writes an archive in the format of `ar`, which is what a Debian package is (deb(5)). */
export function arArchive(members: readonly ArMember[], atSeconds: number): Buffer {
  const parts = members.flatMap(({ name, content }) => {
    const fields = [name.padEnd(16), String(atSeconds).padEnd(12), '0'.padEnd(6), '0'.padEnd(6), '100644'.padEnd(8)]
    const header = `${fields.join('')}${String(content.length).padEnd(10)}\`\n`
    if (header.length !== HEADER_BYTES) throw new RangeError(`${name} does not fit into an archive.`)
    // Each member begins at an even place.
    return [Buffer.from(header), content, Buffer.alloc(content.length % 2, '\n')]
  })
  return Buffer.concat([Buffer.from(MAGIC), ...parts])
}
