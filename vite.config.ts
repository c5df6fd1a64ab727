import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `node src/main.ts dev` listens while the web application is worked on. */
const server = 'http://localhost:8080'

export default defineConfig({
  root: 'web',
  plugins: [react()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // A data: address would be one more kind of source to allow; files are cached for good anyway.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ['web/index.html', 'web/reference.html'] },
    // The reference is one library, in one piece.
    chunkSizeWarningLimit: 2_000,
  },
  server: {
    proxy: {
      '/web': server,
      '/api': server,
      '/icons': server,
      '/drive': server,
      // The decision of the consent page is posted; the page itself is a route of the application.
      '/oauth': {
        target: server,
        bypass: (request) => (request.method === 'GET' ? '/index.html' : undefined),
      },
    },
  },
})
