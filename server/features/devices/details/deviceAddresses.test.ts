import { writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runFolder } from '#server/testing/database/freshDatabase.ts'
import { makeAuthority } from '#testing/certificates.ts'
import { deviceAddresses, localAddresses, readTrusted } from './deviceAddresses.ts'

const ports = { httpPort: 8080, mqttPort: 1883 }
const here = hostname()

test.each([
  ['127.0.0.1', undefined, 'http://127.0.0.1:8080', 'mqtt://127.0.0.1:1883'],
  ['::1', undefined, 'http://[::1]:8080', 'mqtt://[::1]:1883'],
  ['0.0.0.0', undefined, `http://${here}:8080`, `mqtt://${here.toLowerCase()}:1883`],
  ['127.0.0.1', 'http://wayside.example:81', 'http://wayside.example:81', 'mqtt://wayside.example:1883'],
  ['127.0.0.1', 'https://wayside.example', 'https://wayside.example', 'wss://wayside.example/mqtt'],
])('a server on %s, known as %s, tells devices %s and %s', (bindAddress, publicUrl, httpUrl, mqttUrl) => {
  expect(deviceAddresses({ ...ports, bindAddress, publicUrl, mqttUrl: undefined })).toEqual({ httpUrl, mqttUrl })
})

const tlsPorts = { ...ports, httpsPort: 8443, mqttsPort: 8883 }

test.each([
  ['0.0.0.0', undefined, `https://${here}:8443`, `mqtts://${here}:8883`],
  ['::1', undefined, 'https://[::1]:8443', 'mqtts://[::1]:8883'],
  ['0.0.0.0', 'https://wayside.example', 'https://wayside.example', 'mqtts://wayside.example:8883'],
])(
  'with a certificate a server on %s, known as %s, tells devices %s and %s',
  (bindAddress, publicUrl, httpUrl, mqttUrl) => {
    expect(deviceAddresses({ ...tlsPorts, bindAddress, publicUrl, mqttUrl: undefined })).toEqual({ httpUrl, mqttUrl })
  },
)

test('what is said of the address of devices goes before what would follow from others', () => {
  const mqttUrl = 'mqtts://gate.example:443'
  expect(deviceAddresses({ ...tlsPorts, bindAddress: '0.0.0.0', publicUrl: 'https://a.example', mqttUrl })).toEqual({
    httpUrl: 'https://a.example',
    mqttUrl,
  })
})

test('the fleet on the same machine goes by no name of the outside world', () => {
  const addresses = { httpUrl: 'http://127.0.0.1:8080', mqttUrl: 'mqtt://127.0.0.1:1883' }
  expect(localAddresses({ http: '0.0.0.0', mqtt: '127.0.0.1' }, tlsPorts)).toEqual(addresses)
})

test('devices get every certificate of the file, and nothing else that it holds', () => {
  const [one, other] = [makeAuthority(), makeAuthority()]
  const file = join(runFolder('trusted'), 'ca.pem')
  writeFileSync(file, `# ours\n${one.cert}subject=other\n${other.cert}`)
  expect(readTrusted(file)).toEqual({ trustedCertificates: one.cert + other.cert })
  expect(readTrusted(undefined)).toEqual({})
})

test('a file without certificates stops the start with a sentence', () => {
  const file = join(runFolder('trusted-not'), 'ca.pem')
  expect(() => readTrusted(file)).toThrow(`WAYSIDE_DEVICE_CA: ${file} cannot be read (ENOENT).`)
  writeFileSync(file, 'no certificate')
  expect(() => readTrusted(file)).toThrow(`${file} holds no whole certificates in PEM.`)
})
