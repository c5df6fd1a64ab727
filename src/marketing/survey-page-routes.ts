import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { networkOf } from '../http/limits/rate-limit.ts'
import { surveyHtml, thanksHtml } from './survey-page.ts'
import { answerSurvey, findSurvey } from './surveys.ts'
import { sendGone, sendPage } from './visitor-routes.ts'

/** The form contains one number. */
const FORM_BYTES = 256

/**
 * `/survey/{token}`: everybody with the address can rate once. The token cannot be guessed, so the form needs no other
 * protection.
 */
export function surveyPageRoutes(ctx: Context): FastifyPluginAsync {
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      async (_request: FastifyRequest, text: string) => new URLSearchParams(text),
    )
    const surveyIn = async (request: FastifyRequest) => {
      const { token } = request.params as { token: string }
      const found = await findSurvey(ctx, token, request.tenant.subdomain)
      const network = networkOf(request.ip)
      await ctx.limits.take('visitor', found ? `${network} ${token}` : network)
      if (found) request.account_id = found.account.id
      return found
    }

    app.get('/survey/:token', async (request, reply) => {
      const found = await surveyIn(request)
      if (!found) return sendGone(request, reply)
      const { survey, account } = found
      return sendPage(reply, 200, survey.rate === null ? surveyHtml(account, false) : thanksHtml(account))
    })
    app.post('/survey/:token', async (request, reply) => {
      const found = await surveyIn(request)
      if (!found) return sendGone(request, reply)
      const { survey, account } = found
      const rate = rateIn(request.body as URLSearchParams | undefined)
      if (survey.rate === null && rate === null) return sendPage(reply, 400, surveyHtml(account, true))
      if (survey.rate === null && rate !== null) await answerSurvey(ctx, survey, rate, request.id)
      return sendPage(reply, 200, thanksHtml(account))
    })
  }
}

/** The rating in a form with exactly one valid value. */
function rateIn(form: URLSearchParams | undefined): number | null {
  const [rate, ...more] = form?.getAll('rate') ?? []
  return rate !== undefined && more.length === 0 && /^([1-9]|10)$/.test(rate) ? Number(rate) : null
}
