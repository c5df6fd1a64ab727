import { defineConfig, type Plugin } from 'vite'

/** Fastify loads `node:http2` also for servers that do not use it, which takes 30 ms and memory. */
const withoutHttp2: Plugin = {
  name: 'without-http2',
  transform: {
    filter: { id: /\/fastify\/lib\/server\.js$/ },
    handler(code) {
      const without = code.replace("require('node:http2')", '{}')
      if (without === code) throw new Error('Fastify loads node:http2 in another way.')
      return { code: without, map: null }
    },
  },
}

/** The router compiles a function for each part of an address, which takes 40 ms of a start and saves nothing later. */
const withoutCompiledPrefixes: Plugin = {
  name: 'without-compiled-prefixes',
  transform: {
    filter: { id: /\/find-my-way\/lib\/node\.js$/ },
    handler(code) {
      const without = code.replace(
        /^ *const lines = \[\]\n[\s\S]*?return new Function\('path'.*$/m,
        'return (path, i) => path.startsWith(prefix, i)',
      )
      if (without === code) throw new Error('find-my-way compiles its prefixes in another way.')
      return { code: without, map: null }
    },
  },
}

/**
 * The server in a few files with its dependencies: reading a thousand modules takes longer than everything else that a
 * start does.
 */
export default defineConfig({
  plugins: [withoutHttp2, withoutCompiledPrefixes],
  build: {
    ssr: true,
    outDir: 'dist/server',
    emptyOutDir: true,
    target: 'node24',
    sourcemap: true,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      // The program, and those of its threads.
      input: ['src/main.ts', 'src/db/background-reader.ts', 'src/db/indexes/index-builder.ts'],
      output: {
        // V8 keeps the source of a file in memory, with two bytes per character if a single one is outside Latin-1.
        charset: 'ascii',
        comments: false,
      },
    },
  },
  ssr: {
    noExternal: true,
    // Native modules, which stay in their packages.
    external: ['better-sqlite3', 'sharp'],
  },
})
