import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import scalarReference from '@scalar/fastify-api-reference'
import Fastify from 'fastify'
import type { Plugin } from 'vite'

const NAME = 'virtual:scalar'
const LICENSE = 'node_modules/@scalar/fastify-api-reference/LICENSE'
/** Where the development server has the file. */
const ADDRESS = '/@scalar.js'

/**
 * The module `virtual:scalar`: the address of the file that renders the API reference. The package for Fastify contains it
 * as one file, which is minified, and serves it. The package for bundlers brings 270 packages and an install script.
 */
export function scalar(): Plugin {
  let isBuild = true
  return {
    name: 'scalar',
    configResolved({ command }) {
      isBuild = command === 'build'
    },
    resolveId: (source) => (source === NAME ? `\0${NAME}` : undefined),
    async load(source) {
      if (source !== `\0${NAME}`) return undefined
      if (!isBuild) return `export default '${ADDRESS}'`
      const license = readFileSync(join(import.meta.dirname, '..', LICENSE), 'utf8')
      const file = this.emitFile({
        type: 'asset',
        name: 'scalar.js',
        source: `/*!\n${license}*/\n${await servedFile()}`,
      })
      return `export default import.meta.ROLLUP_FILE_URL_${file}`
    },
    configureServer({ middlewares }) {
      middlewares.use(ADDRESS, (_request, response, next) => {
        servedFile().then((text) => response.setHeader('content-type', 'text/javascript').end(text), next)
      })
    },
  }
}

async function servedFile(): Promise<string> {
  const app = Fastify()
  await app.register(scalarReference, { routePrefix: '/reference', configuration: { url: '/' } })
  const { body } = await app.inject('/reference/js/scalar.js')
  await app.close()
  return body.replace(/\n\/\/# sourceMappingURL=.*$/, '')
}
