FROM python:3.14-slim AS build
WORKDIR /src
RUN apt-get update \
 && apt-get install --yes --no-install-recommends gcc libc6-dev \
 && rm -rf /var/lib/apt/lists/*
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY phaseledger phaseledger
COPY domain domain
COPY projections projections
COPY replay replay
COPY service service
COPY clients clients
COPY docs docs
COPY openapi openapi
RUN pip install --no-cache-dir --group build --group docs --editable '.[server]' \
 && pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /wheels . \
 && python -m venv --without-pip /opt/phaseledger \
 && pip --python /opt/phaseledger/bin/python install --no-cache-dir "$(echo /wheels/*.whl)[server]" \
 && cd / && /opt/phaseledger/bin/python -c "from phaseledger.domain import kernel; assert kernel.is_compiled(); from phaseledger.service.web.guide import is_built; assert is_built()"

FROM python:3.14-slim
RUN useradd --system --uid 10001 --user-group --no-create-home phaseledger \
 && install --directory --owner=10001 --group=10001 --mode=0700 /var/lib/phaseledger/keys \
 && install --directory --owner=10001 --group=10001 --mode=0700 /var/lib/phaseledger/sealing \
 && install --directory --owner=10001 --group=10001 --mode=0700 /var/lib/phaseledger/published \
 && install --directory --owner=10001 --group=10001 --mode=0700 /var/lib/phaseledger/backups
COPY --from=build /opt/phaseledger /opt/phaseledger
ENV PATH=/opt/phaseledger/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PHASELEDGER_HOST=0.0.0.0 \
    PHASELEDGER_PORT=8000
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/health/live', timeout=4)"]
ENTRYPOINT ["phaseledger"]
CMD ["serve"]
