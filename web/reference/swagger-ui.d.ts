/** Swagger UI as it is published, without the telemetry that its own package installs. It brings no types. */
declare module '@fastify/swagger-ui/static/swagger-ui-bundle.js' {
  export interface System {
    React: typeof import('react')
  }
  const SwaggerUI: (options: Record<string, unknown>) => unknown
  export default SwaggerUI
}
