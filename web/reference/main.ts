import '@fastify/swagger-ui/static/swagger-ui.css'
import './reference.css'
import SwaggerUI, { type System } from '@fastify/swagger-ui/static/swagger-ui-bundle.js'

/** The API reference for integration developers, which can also call the server. */

const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => document.documentElement.classList.toggle('dark-mode', isDark())
dark.addEventListener('change', paint)
paint()

/** Whether the application uses the dark theme; see first-paint.js. */
function isDark(): boolean {
  const kept = localStorage.getItem('patchbay-theme')
  return kept === 'dark' || (kept !== 'light' && dark.matches)
}

/**
 * Renders descriptions as paragraphs with backticks. Swagger UI's own renderer writes HTML, which the page's
 * policy rejects.
 */
const plainDescriptions = ({ React }: System) => ({
  wrapComponents: {
    Markdown:
      () =>
      ({ source }: { source?: string }) =>
        (source ?? '').split('\n\n').map((paragraph, i) =>
          React.createElement(
            'p',
            { key: i },
            paragraph
              .split('`')
              .map((words, j) => (j % 2 ? React.createElement('code', { key: words }, words) : words)),
          ),
        ),
  },
})

const answer = await fetch('/api/openapi.json')
const description = await answer.json()
// The page calls its own server, with a token that the reader enters.
delete description.servers
delete description.components.securitySchemes.oauth2

SwaggerUI({
  spec: description,
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  plugins: [plainDescriptions],
})
