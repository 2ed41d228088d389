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

/**
 * Where devices find the server: from the configuration only, because anybody can write a Host header. Where browsers
 * come by TLS, devices come the same way, by MQTT over WebSocket.
 */
export function deviceAddresses({ publicUrl, bindAddress, httpPort, mqttPort }: ListeningAt): DeviceAddresses {
  const host = EVERY_INTERFACE.includes(bindAddress) ? hostname() : bindAddress
  const httpUrl = publicUrl ?? `http://${inUrl(host)}:${httpPort}`
  if (httpUrl.startsWith('https:')) return { httpUrl, mqttUrl: `${httpUrl.replace(/^https:/, 'wss:')}/mqtt` }
  return { httpUrl, mqttUrl: `mqtt://${new URL(httpUrl).hostname}:${mqttPort}` }
}

/** Where programs on this very machine find it, whatever the world calls it. */
export function localAddresses({ bindAddress, httpPort, mqttPort }: Omit<ListeningAt, 'publicUrl'>): DeviceAddresses {
  const host = inUrl(EVERY_INTERFACE.includes(bindAddress) ? '127.0.0.1' : bindAddress)
  return { httpUrl: `http://${host}:${httpPort}`, mqttUrl: `mqtt://${host}:${mqttPort}` }
}

const inUrl = (host: string) => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
