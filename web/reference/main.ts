import '@fastify/swagger-ui/static/swagger-ui.css'
import './reference.css'
import SwaggerUI, { type System } from '@fastify/swagger-ui/static/swagger-ui-bundle.js'

/** The reference for people who write integrations: the server's own description, and a way to call what it describes. */

const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => document.documentElement.classList.toggle('dark-mode', isDark())
dark.addEventListener('change', paint)
paint()

/** As the application is shown, which keeps its choice here; see first-paint.js. */
function isDark(): boolean {
  const kept = localStorage.getItem('patchbay-theme')
  return kept === 'dark' || (kept !== 'light' && dark.matches)
}

/** Descriptions are paragraphs with words in backticks. Their own way to show them writes HTML, which the page refuses. */
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
// The page calls the server that it came from, by a token that its reader has.
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
