import type { Fault } from './fault.ts'

const CERTIFICATE = 'server/network/certificate.ts'
const CERTIFICATE_TEST = 'server/network/certificate.test.ts'

export const TLS_FAULTS: readonly Fault[] = [
  {
    name: 'Plain text is offered to the network though nobody asked for it',
    file: 'server/network/plainHosts.ts',
    replace: "plaintext.includes(name) ? bindAddress : '127.0.0.1'",
    by: "!plaintext.includes(name) ? bindAddress : '127.0.0.1'",
    foundBy: [
      'server/network/plainHosts.test.ts',
      { file: 'server/app/tls.test.ts', title: 'stays within the machine' },
    ],
  },
  {
    name: 'A server without a certificate starts on every interface',
    file: 'server/settings/networkSettings.ts',
    replace: 'plaintext.length === 0 && !isLoopback(bindAddress)',
    by: "plaintext.length === 0 && bindAddress === ''",
    foundBy: [{ file: 'server/settings/config.test.ts', title: 'is refused unless it is asked for by name' }],
  },
  {
    name: 'A renewed certificate is only taken by a restart',
    file: 'server/network/tlsPorts.ts',
    replace: 'certificate.onRenewed((pair) => server.setSecureContext({ ...STRENGTH, ...keyPairOf(pair) }))',
    by: 'certificate.onRenewed(() => undefined)',
    foundBy: [{ file: 'server/network/tlsPorts.test.ts', title: 'after a renewal new connections' }],
  },
  {
    name: 'An expired certificate replaces one that holds',
    file: CERTIFICATE,
    replace: 'if (now > renewed.expiresAt && now <= used.expiresAt) {',
    by: 'if (now > renewed.expiresAt && now > used.expiresAt) {',
    foundBy: [{ file: CERTIFICATE_TEST, title: 'does not replace one that holds' }],
  },
  {
    name: 'Nobody is told that a certificate was not renewed',
    file: CERTIFICATE,
    replace: 'const SOON_EXPIRED = 0.1',
    by: 'const SOON_EXPIRED = 0',
    foundBy: [{ file: CERTIFICATE_TEST, title: 'is told before it comes' }],
  },
]
