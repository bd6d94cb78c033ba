import { ApiProblem } from "./api";

/** A fault of one field of a form, in the gateway's words. */
export interface FieldFault {
  field: string;
  fault: string;
}

const FORMS = [
  /^([A-Za-z0-9.[\]]+): (.+)$/s,
  /^the member ([A-Za-z0-9.[\]]+) of the body (.+)$/s,
  /^the member ([A-Za-z]+) (is missing)$/,
];

/** The field that the gateway refuses; undefined if the problem is not about one field. */
export function fieldFault(problem: unknown, fields: readonly string[]): FieldFault | undefined {
  if (!(problem instanceof ApiProblem) || problem.status < 400) return undefined;
  for (const form of FORMS) {
    const [, field, fault] = form.exec(problem.detail) ?? [];
    if (field !== undefined && fault !== undefined && fields.includes(field)) {
      return { field, fault: `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.` };
    }
  }
  return undefined;
}
