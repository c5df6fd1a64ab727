/** Swagger UI without the telemetry of its npm package. It has no types. */
declare module '@fastify/swagger-ui/static/swagger-ui-bundle.js' {
  export interface System {
    React: typeof import('react')
  }
  const SwaggerUI: (options: Record<string, unknown>) => unknown
  export default SwaggerUI
}
