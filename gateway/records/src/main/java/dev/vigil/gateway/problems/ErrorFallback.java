package dev.vigil.gateway.problems;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Answers errors of the servlet container with a problem document that holds only the status. */
@RestController
class ErrorFallback implements ErrorController {
  @RequestMapping("${spring.web.error.path:/error}")
  ProblemDetail error(HttpServletRequest request) {
    Object code = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
    HttpStatus status = code instanceof Integer number ? HttpStatus.resolve(number) : null;
    HttpStatus shown = status == null ? HttpStatus.NOT_FOUND : status;
    ProblemDetail problem = ProblemDetail.forStatus(shown);
    problem.setType(URI.create(ProblemType.ofStatus(shown.value()).uri()));
    return problem;
  }
}
