import type { SiteFormRow } from '../db/tables.ts'
import { invalid } from '../errors.ts'

/** The most hosts of a website button. */
export const MOST_WEBSITES = 10

/**
 * The hosts of websites that people write as hosts or as addresses, each once: `shop.example`, `shop.example:8080`, or
 * `*.shop.example` for all hosts below one.
 */
export function readWebsites(written: readonly string[], path: string): string[] {
  const hosts = written.map((text, i) => {
    const host = hostIn(text.trim())
    if (host !== undefined) return host
    const detail = 'This value should be the host of a website, such as shop.example or *.shop.example.'
    throw invalid(`${path}.${i}`, 'InvalidFormat', detail)
  })
  return [...new Set(hosts)]
}

/** The letters of a host: it stands in a header, where others would have a meaning. */
const HOST = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*(:\d{1,5})?$/

function hostIn(text: string): string | undefined {
  const [, scheme = 'https://', star = '', rest = ''] = /^(https?:\/\/)?(\*\.)?(.*)$/i.exec(text) ?? []
  const address = URL.parse(scheme + rest)
  if (!address || address.username || address.password || !HOST.test(address.host)) return undefined
  return star + address.host
}

export const websitesOf = ({ trusted_websites }: SiteFormRow): string[] => JSON.parse(trusted_websites)

/** Whether a page of this origin can send the form of a button itself. */
export function isTrusted(origin: string, hosts: readonly string[]): boolean {
  const host = URL.parse(origin)?.host ?? ''
  return hosts.some((one) => (one.startsWith('*.') ? host.endsWith(one.slice(1)) : host === one))
}

/** The sites that can frame the form of a button, as a Content-Security-Policy names them. */
export const ancestorsOf = (hosts: readonly string[]): string => hosts.join(' ') || "'none'"
