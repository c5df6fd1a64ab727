import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname } from 'node:path'

const file = findPackageJSON(import.meta.url) as string

/** The folder of the package: the checkout, or the installed package. The same from the sources and from a build. */
export const packageFolder = dirname(file)

export const { version, description } = JSON.parse(readFileSync(file, 'utf8')) as {
  version: string
  description: string
}
