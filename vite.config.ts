import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { scalar } from './scripts/scalar-plugin.ts'

/** The address of the server that `npm run dev` starts. */
const server = process.env.PATCHBAY_URL ?? 'http://localhost:8080'

/** Paths that the server answers. `web/api` and `web/data` are folders of the application, so sources are left out. */
const SERVER_PATHS =
  '^/(?:web|api|oauth2|private|v2|docs|drive|icons|survey|s|healthz|readyz|metrics)(?:[/?]|$)(?!.*\\.tsx?(?:\\?|$))'

/**
 * Chunks of modules that several pages share, because a request per module would make a page slow to load. `start`,
 * `frame`, `icons` and `controls` belong to the first page, so they contain nothing that only other pages need.
 */
const shared = [
  {
    name: 'frame',
    test: /node_modules[\\/](?:(?:react|react-dom|scheduler|i18next|react-i18next)[\\/]|@tanstack[\\/](?!react-virtual|virtual))/,
  },
  { name: 'icons', test: /@tabler[\\/]icons-react[\\/]/ },
  { name: 'controls', test: /@mantine[\\/](?:core[\\/]esm[\\/]core|store)[\\/]/ },
  { name: 'controls', test: /@mantine[\\/](?:core|hooks|form)[\\/]|@floating-ui/, minShareCount: 60 },
  { name: 'start', test: /[\\/]web[\\/](?:api|i18n)[\\/]/, minShareCount: 2 },
  // The data that the table of routes itself needs.
  {
    name: 'start',
    test: /[\\/]web[\\/]data[\\/](?:chats|delivery-states|developer-filters|draft-storage|drive|messages|query-client|records|row-lists|session|writes)\.|inbox[\\/]chat-filter\./,
  },
  { name: 'data', test: /[\\/]web[\\/]data[\\/]|[\\/]src[\\/]/, minShareCount: 2 },
  // Many pages have dialogs, and the first page has none.
  {
    name: 'start',
    test: /[\\/]web[\\/](?:parts[\\/](?!confirm|dialog|bare-dialog|use-opener-focus|unsaved)|shell[\\/]use-session)/,
    minShareCount: 26,
  },
  { name: 'start', test: /[\\/]web[\\/]shell[\\/](?:plain-layout|logo)/ },
  {
    name: 'sign-in-parts',
    test: /components[\\/](?:TextInput|PasswordInput|ActionIcon)[\\/]|[\\/]web[\\/]parts[\\/](?:form\.module|password-field|use-now)|@mantine[\\/]hooks[\\/]esm[\\/](?:use-uncontrolled|utils)|web[\\/]shell[\\/]use-session/,
  },
  { name: 'more-controls', test: /node_modules/, minShareCount: 4 },
  { name: 'pages', test: /[\\/]web[\\/]/, minShareCount: 4 },
]

export default defineConfig({
  root: 'web',
  plugins: [react(), scalar(), compressed()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
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
