import type { FastifyRequest } from 'fastify'

/** The types that HTTP libraries and clients give a JSON text. A library that gives none sends no header. */
const TEXT = /^(application\/hal\+json|text\/plain)\b/i
const FORM = /^application\/x-www-form-urlencoded\b/i

/**
 * Reads a body as JSON if it has the type that an HTTP library gives a text (V14). The type of a form is one of them where
 * no body is a form.
 */
export function readTextAsJson({ headers }: FastifyRequest, hasForms: boolean): void {
  const { 'content-type': type } = headers
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
  const isJson = type ? TEXT.test(type) || (!hasForms && FORM.test(type)) : hasBody
  if (isJson) headers['content-type'] = 'application/json'
}
