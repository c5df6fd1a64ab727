import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { scalar } from './scripts/scalar-plugin.ts'

/** The address of the server that `npm run dev` starts. */
const server = process.env.PATCHBAY_URL ?? 'http://localhost:8080'

/** Paths that the server answers. `web/api` and `web/data` are folders of the application, so sources are left out. */
const SERVER_PATHS =
  '^/(?:web|api|oauth2|private|v2|docs|drive|icons|survey|s|healthz|readyz|metrics)(?:[/?]|$)(?!.*\\.tsx?(?:\\?|$))'

/** The entry, and the page that a person sees first. */
const FIRST_PAGE = ['web/main.tsx', 'web/accounts/sign-in.tsx'].map((file) => join(import.meta.dirname, file))

let firstModules: Set<string> | undefined
/** Whether the first page imports a module, directly or not. */
function isFirst(id: string, context: Rolldown.ChunkingContext): boolean {
  if (!firstModules) {
    firstModules = new Set(FIRST_PAGE)
    // A set is read in the order in which it grows.
    for (const module of firstModules)
      for (const imported of context.getModuleInfo(module)?.importedIds ?? []) firstModules.add(imported)
  }
  return firstModules.has(id)
}

/** Our own modules. */
const own = /^(?!.*node_modules)/

/**
 * Chunks of modules that several pages share, because a request per module would make a page slow to load. `packages`,
 * `controls` and `start` belong to the first page, so they contain nothing that only other pages need. A package is imported
 * as a whole before its unused parts are removed: its imports do not tell which parts the first page needs, so these are listed.
 */
const shared: Rolldown.CodeSplittingGroup[] = [
  {
    name: 'packages',
    test: /node_modules[\\/](?:(?:react|react-dom|scheduler|i18next|react-i18next)[\\/]|@tanstack[\\/](?!react-virtual|virtual)|@tabler[\\/]icons-react[\\/]|@mantine[\\/](?:core[\\/]esm[\\/]core|store)[\\/])/,
  },
  { name: 'controls', test: /@mantine[\\/](?:core|hooks|form)[\\/]|@floating-ui/, minShareCount: 60 },
  {
    name: 'controls',
    test: /@mantine[\\/](?:core[\\/]esm[\\/]components[\\/](?:TextInput|PasswordInput|ActionIcon)|form|hooks[\\/]esm[\\/](?:use-uncontrolled|utils))[\\/]/,
  },
  {
    name: (id, context) => (isFirst(id, context) ? 'start' : null),
    debugName: 'start',
    test: own,
    minShareCount: 2,
  },
  { name: 'more-packages', test: /node_modules/, minShareCount: 2 },
  { name: 'pages', test: own, minShareCount: 2 },
]

export default defineConfig({
  root: 'web',
  plugins: [react(), scalar(), compressed()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // The oldest browsers with all functions that the pages call; newer features of CSS are not necessary.
    target: ['chrome126', 'firefox127', 'safari18'],
    // A data: address would be one more kind of source to allow; files are cached for good anyway.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'reference.html'].map((file) => join(import.meta.dirname, 'web', file)),
      output: { codeSplitting: { groups: shared } },
    },
  },
  server: {
    proxy: {
      [SERVER_PATHS]: server,
      // The application has the consent page; the server takes the decision that the page posts.
      '/oauth': {
        target: server,
        bypass: (request) => (request.method === 'GET' ? '/index.html' : undefined),
      },
    },
  },
})

/** Compresses what is served once and for good, so that the server need not do it with each request. */
function compressed(): Plugin {
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle({ dir = '' }) {
      const assets = join(dir, 'assets')
      for (const name of readdirSync(assets).filter((file) => /\.(js|css)$/.test(file))) {
        const bytes = readFileSync(join(assets, name))
        writeFileSync(join(assets, `${name}.br`), brotliCompressSync(bytes, brotli))
        writeFileSync(join(assets, `${name}.gz`), gzipSync(bytes, { level: 9 }))
      }
    },
  }
}
