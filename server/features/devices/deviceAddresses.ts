import { hostname } from 'node:os'

export interface DeviceAddresses {
  readonly mqttUrl: string
  readonly httpUrl: string
}

export interface ListeningAt {
  readonly publicUrl: string | undefined
  readonly bindAddress: string
  readonly httpPort: number
  readonly mqttPort: number
}

const EVERY_INTERFACE = ['0.0.0.0', '::', '[::]']

/** Where devices find the server: from the configuration only, because anybody can write a Host header. */
export function deviceAddresses({ publicUrl, bindAddress, httpPort, mqttPort }: ListeningAt): DeviceAddresses {
  const bound = EVERY_INTERFACE.includes(bindAddress) ? hostname() : bindAddress
  const host = bound.includes(':') && !bound.startsWith('[') ? `[${bound}]` : bound
  const httpUrl = publicUrl ?? `http://${host}:${httpPort}`
  return { httpUrl, mqttUrl: `mqtt://${new URL(httpUrl).hostname}:${mqttPort}` }
}
