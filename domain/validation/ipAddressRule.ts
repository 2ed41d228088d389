const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const IP_ADDRESS = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`)

/** Four dotted octets of 0 to 255 and nothing around them; empty is allowed (rules/calls 14). */
export function isIpAddressOrEmpty(text: string): boolean {
  return text === '' || IP_ADDRESS.test(text)
}
