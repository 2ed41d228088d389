import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { readChain } from '#server/network/certificate.ts'
import type { PlainHosts } from '#server/network/plainHosts.ts'

export interface DeviceAddresses {
  readonly mqttUrl: string
  readonly httpUrl: string
  /** Certificates in PEM that devices have to trust there, in addition to those they know. */
  readonly trustedCertificates?: string
}

export interface ListeningAt {
  readonly bindAddress: string
  readonly httpPort: number
  readonly mqttPort: number
  /** Undefined without TLS. */
  readonly httpsPort?: number | undefined
  readonly mqttsPort?: number | undefined
}

interface Named {
  readonly publicUrl: string | undefined
  readonly mqttUrl: string | undefined
}

const EVERY_INTERFACE = ['0.0.0.0', '::', '[::]']

/**
 * Makes the addresses where devices find the server, from the configuration only, because anybody can write a Host
 * header. Where browsers use TLS devices use it too: on a port of this server when it has a certificate, else by the
 * browsers' way.
 */
export function deviceAddresses(at: ListeningAt & Named): DeviceAddresses {
  const host = inUrl(EVERY_INTERFACE.includes(at.bindAddress) ? hostname() : at.bindAddress)
  const own = at.httpsPort === undefined ? `http://${host}:${at.httpPort}` : `https://${host}:${at.httpsPort}`
  const httpUrl = at.publicUrl ?? own
  return { httpUrl, mqttUrl: at.mqttUrl ?? mqttUrlBeside(httpUrl, at) }
}

function mqttUrlBeside(httpUrl: string, { mqttPort, mqttsPort }: ListeningAt): string {
  const { hostname } = new URL(httpUrl)
  if (mqttsPort !== undefined) return `mqtts://${hostname}:${mqttsPort}`
  return httpUrl.startsWith('https:') ? `${httpUrl.replace(/^https:/, 'wss:')}/mqtt` : `mqtt://${hostname}:${mqttPort}`
}

/**
 * Makes the addresses for programs on this machine: in plain text, which never leaves it, whatever the public name is.
 */
export function localAddresses(
  hosts: PlainHosts,
  { httpPort, mqttPort }: Pick<ListeningAt, 'httpPort' | 'mqttPort'>,
): DeviceAddresses {
  const local = (host: string) => inUrl(EVERY_INTERFACE.includes(host) ? '127.0.0.1' : host)
  return { httpUrl: `http://${local(hosts.http)}:${httpPort}`, mqttUrl: `mqtt://${local(hosts.mqtt)}:${mqttPort}` }
}

/** @throws Error whose message says what is wrong with the file, for whoever starts the server */
export function readTrusted(file: string | undefined): Pick<DeviceAddresses, 'trustedCertificates'> {
  if (file === undefined) return {}
  const pem = readCertificates(file)
  return { trustedCertificates: readChain(pem, file).map(String).join('') }
}

function readCertificates(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`WAYSIDE_DEVICE_CA: ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

const inUrl = (host: string) => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
