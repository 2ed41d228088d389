const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const IP_ADDRESS = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`)

/** The address is four dotted octets of 0 to 255 without anything around them; empty is allowed (rules/calls 14). */
export function isIpAddressOrEmpty(text: string): boolean {
  return text === '' || IP_ADDRESS.test(text)
}
