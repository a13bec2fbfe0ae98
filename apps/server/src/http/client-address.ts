import { isIPv4, isIPv6 } from 'node:net'

/**
 * Whom a limit by address counts: the address in one spelling, and of IPv6 the /64 that one subscriber has to
 * choose from. An IPv4 address that came in IPv6's clothes is itself.
 */
export function subscriber(address: string | null | undefined): string {
  const [bare = ''] = (address ?? '').split('%')
  if (!isIPv6(bare)) return isIPv4(bare) ? bare : ''
  const groups = groupsOf(bare)
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return dotted(groups.slice(6))
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** The eight groups, without leading zeros, as addresses of the web spell them. */
function groupsOf(address: string): string[] {
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = plain.split('::')
  const front = head === '' ? [] : head.split(':')
  if (tail === undefined) return front
  const back = tail === '' ? [] : tail.split(':')
  return [...front, ...Array<string>(8 - front.length - back.length).fill('0'), ...back]
}

const dotted = (groups: string[]): string =>
  groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]).join('.')
