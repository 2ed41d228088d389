import type { OptionProblem } from '#domain/drivers/driverDescription.ts'
import type { LineAddress, SerialAddress } from './line.ts'

/** The options of a driver that say where its instrument is. */
export interface LineOptions {
  readonly host: string | undefined
  readonly port: number
  readonly path: string | undefined
  readonly baud: number
  readonly parity?: SerialAddress['parity']
  readonly stopBits?: number
}

/** The options must name exactly one way to it. */
export function lineProblem({ host, path }: LineOptions): OptionProblem | undefined {
  if (host === undefined && path === undefined)
    return { field: 'host', reason: 'is required, unless path names a serial port' }
  if (host !== undefined && path !== undefined) return { field: 'path', reason: 'cannot be named beside host' }
  return undefined
}

export const lineAddressOf = ({ host, port, path, baud, parity = 'none', stopBits = 1 }: LineOptions): LineAddress =>
  path === undefined ? { host: host ?? '', port } : { path, baud, parity, stopBits: stopBits === 2 ? 2 : 1 }
