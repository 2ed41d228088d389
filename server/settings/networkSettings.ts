import { isLoopback } from '#domain/network/loopback.ts'
import { setting } from './setting.ts'
import {
  bindAddress,
  ConfigError,
  choice,
  file,
  listeners,
  outboundAllowances,
  plainListeners,
  proxyNetworks,
  securityContact,
  siteAddress,
  url,
  wholeNumber,
} from './settingValues.ts'

/** Settings about addresses, ports, protection, and public names. */
export const NETWORK_SETTINGS = {
  httpPort: setting(
    'WAYSIDE_HTTP_PORT',
    '8080',
    wholeNumber(0, 65_535, 8080),
    'Port of the console and the API in plain text (0: any free one).',
  ),
  mqttPort: setting(
    'WAYSIDE_MQTT_PORT',
    '1883',
    wholeNumber(0, 65_535, 1883),
    'Port on which devices connect by MQTT in plain text (0: any free one).',
  ),
  httpsPort: setting(
    'WAYSIDE_HTTPS_PORT',
    '8443',
    wholeNumber(0, 65_535, 8443),
    'Port of the console and the API by TLS; it is open once there is a certificate (0: any free one).',
  ),
  mqttsPort: setting(
    'WAYSIDE_MQTTS_PORT',
    '8883',
    wholeNumber(0, 65_535, 8883),
    'Port on which devices connect by MQTT over TLS; it is open once there is a certificate (0: any free one).',
  ),
  bindAddress: setting(
    'WAYSIDE_BIND',
    '127.0.0.1',
    bindAddress,
    'Address on which the server listens; 0.0.0.0 is every one. In plain text it does so only as WAYSIDE_PLAINTEXT says.',
  ),
  tlsCert: setting(
    'WAYSIDE_TLS_CERT',
    'no TLS: HTTPS and MQTTS are not open',
    file,
    'File with the certificate of the server and those between it and its root, in PEM; a newer one is loaded automatically.',
  ),
  tlsKey: setting(
    'WAYSIDE_TLS_KEY',
    'no TLS: HTTPS and MQTTS are not open',
    file,
    'File with the private key of that certificate, in PEM and without a passphrase.',
  ),
  plaintext: setting(
    'WAYSIDE_PLAINTEXT',
    'none: plain text only on 127.0.0.1, ::1 or localhost',
    plainListeners,
    'What may be plain text on another WAYSIDE_BIND (http, mqtt), because something in front of it speaks TLS.',
  ),
  publicUrl: setting(
    'WAYSIDE_PUBLIC_URL',
    'the address on which the server listens',
    siteAddress,
    'Address under which browsers reach the console, without a path; links in e-mails and device configurations begin with it.',
  ),
  mqttUrl: setting(
    'WAYSIDE_MQTT_URL',
    'mqtts: where there is a certificate, else wss: or mqtt: of the public address',
    url('mqtt', 'mqtts', 'ws', 'wss'),
    'Address under which devices reach the server, as mqtts://host:port or wss://host/mqtt; device configurations name it.',
  ),
  deviceCa: setting(
    'WAYSIDE_DEVICE_CA',
    'none: devices know who signed the certificate',
    file,
    'File with certificates in PEM that devices are to trust beside those they know; device configurations hold them.',
  ),
  hstsSubdomains: setting(
    'WAYSIDE_HSTS_SUBDOMAINS',
    'no',
    (text) => choice('yes', 'no')(text) ?? 'no',
    'Whether browsers are to reach every name below the one of the console by HTTPS alone, too: yes or no.',
  ),
  securityContact: setting(
    'WAYSIDE_SECURITY_CONTACT',
    'no /.well-known/security.txt',
    securityContact,
    'E-mail address or web page (https:) for whoever found a weakness; told in /.well-known/security.txt.',
  ),
  trustedProxies: setting(
    'WAYSIDE_TRUSTED_PROXIES',
    'none: the peer of a connection is the client',
    proxyNetworks,
    'Addresses and networks of proxies that say who their client is, with commas between them.',
  ),
  outboundAllow: setting(
    'WAYSIDE_OUTBOUND_ALLOW',
    'only the internet, by https',
    outboundAllowances,
    'Hosts (host or host:port) and networks (10.1.0.0/16) beyond the internet that the server may call, also by http, with commas between them.',
  ),
  proxyProtocol: setting(
    'WAYSIDE_PROXY_PROTOCOL',
    'none',
    listeners,
    'Ports (http, mqtt, https, mqtts) on which each connection begins with a PROXY header of a trusted proxy; others are closed.',
  ),
  streamsPerUser: setting(
    'WAYSIDE_STREAMS_PER_USER',
    '32',
    wholeNumber(1, 10_000, 32),
    'Live connections of one user that are open at once; a newer one ends the oldest. A browser has one for all its tabs, by plain http one a tab.',
  ),
  streams: setting(
    'WAYSIDE_STREAMS',
    '1000',
    wholeNumber(1, 100_000, 1000),
    'Live connections of all users together that one process has open, half of them from one address.',
  ),
}

interface Network {
  readonly httpPort: number
  readonly mqttPort: number
  readonly httpsPort: number
  readonly mqttsPort: number
  readonly bindAddress: string
  readonly tlsCert: string | undefined
  readonly tlsKey: string | undefined
  readonly plaintext: readonly string[]
  readonly trustedProxies: readonly string[]
  readonly proxyProtocol: readonly string[]
}

/** Refuses settings that are valid alone and contradict each other. */
export function refuseContradictions(network: Network): void {
  const { httpPort, mqttPort, bindAddress, tlsCert, tlsKey, plaintext, trustedProxies, proxyProtocol } = network
  const hasTls = tlsCert !== undefined
  if (hasTls !== (tlsKey !== undefined)) {
    throw new ConfigError('WAYSIDE_TLS_CERT and WAYSIDE_TLS_KEY need each other: set both, or neither.')
  }
  if (httpPort !== 0 && httpPort === mqttPort) {
    throw new ConfigError(`WAYSIDE_HTTP_PORT and WAYSIDE_MQTT_PORT must differ, but both are ${httpPort}.`)
  }
  if (hasTls) refuseSharedPorts(network)
  if (!hasTls && plaintext.length === 0 && !isLoopback(bindAddress)) {
    throw new ConfigError(
      `WAYSIDE_BIND is ${bindAddress}, where passwords and keys would cross the network in plain text: set WAYSIDE_TLS_CERT and WAYSIDE_TLS_KEY, or, where something in front speaks TLS, WAYSIDE_PLAINTEXT=http,mqtt.`,
    )
  }
  if (proxyProtocol.length > 0 && trustedProxies.length === 0) {
    throw new ConfigError('WAYSIDE_PROXY_PROTOCOL needs WAYSIDE_TRUSTED_PROXIES: the addresses of your balancers.')
  }
  const closed = hasTls ? undefined : proxyProtocol.find((name) => name === 'https' || name === 'mqtts')
  if (closed !== undefined) {
    throw new ConfigError(`WAYSIDE_PROXY_PROTOCOL names ${closed}, which is not open without WAYSIDE_TLS_CERT.`)
  }
}

function refuseSharedPorts({ httpPort, mqttPort, httpsPort, mqttsPort }: Network): void {
  const ports = new Map<number, string>()
  const named = { HTTP: httpPort, MQTT: mqttPort, HTTPS: httpsPort, MQTTS: mqttsPort }
  for (const [name, port] of Object.entries(named)) {
    const other = ports.get(port)
    if (other !== undefined && port !== 0) {
      throw new ConfigError(`WAYSIDE_${other}_PORT and WAYSIDE_${name}_PORT must differ, but both are ${port}.`)
    }
    ports.set(port, name)
  }
}
