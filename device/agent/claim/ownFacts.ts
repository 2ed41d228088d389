import { readFileSync } from 'node:fs'
import { hostname, networkInterfaces } from 'node:os'
import type { ClaimFacts } from '#contract/http/devices/claims.ts'
import { credentialFiles } from '#device/launcher/config.ts'

const MODEL_FILES = ['/sys/class/dmi/id/product_name', '/proc/device-tree/model']
const SERIAL_FILES = [
  ...credentialFiles('serial'),
  ...['/sys/class/dmi/id/product_serial', '/sys/class/dmi/id/board_serial'],
  '/proc/device-tree/serial-number',
]
/** Boards that nobody has labelled say one of these. */
const SAYS_NOTHING = /^(0+|none|n\/a|default string|to be filled by o\.e\.m\.|system serial number|not specified)$/i

/** Reads what this machine says of itself, so that a person recognises it among others. */
export function readOwnFacts(clientVersion: string, readText = readLine): ClaimFacts {
  const [model = ''] = MODEL_FILES.map(readText).filter(Boolean)
  const serialNumbers = [...new Set(SERIAL_FILES.map(readText).filter(Boolean))]
  const macAddresses = Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ internal }) => !internal)
    .map(({ mac }) => mac.toLowerCase())
    .filter((mac) => mac !== '00:00:00:00:00:00')
  return {
    ...{ model: model.slice(0, 120), hostName: hostname().slice(0, 120), clientVersion: clientVersion.slice(0, 40) },
    serialNumbers: serialNumbers.map((serial) => serial.slice(0, 80)),
    macAddresses: [...new Set(macAddresses)].toSorted().slice(0, 8),
  }
}

/** Only root may read some of these; what cannot be read is not said. */
function readLine(file: string): string {
  try {
    const text = readFileSync(file, 'utf8').replaceAll('\0', '').trim()
    return SAYS_NOTHING.test(text) || /\p{Cc}/u.test(text) ? '' : text
  } catch {
    return ''
  }
}
